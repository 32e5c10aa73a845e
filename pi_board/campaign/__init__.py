"""A campaign: refereed games in rooms drawn at random, and what they prove about the promise."""

"""What the table sees and touches: lights, buzzer, buttons, small display, light strip."""

"""The referee as a filter: hypotheses about what happened since the last sure position, weighed by every look.

Read in this order: `model` (what people do, how vision errs), `still` and `throws` (what was seen), `hypotheses` and
`inference` (what may have happened), `words` and `story` (what is said about it), `referee` (the shell with the interface).
"""

from pi_board.referee.inference.referee import FilterReferee

__all__ = ["FilterReferee"]

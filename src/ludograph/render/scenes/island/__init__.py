"""Scenes of settlers games: an island, a position or an action in, a laid out scene out.

`contents` finds what there is to draw, also for terminals. `building` lays it out; the parts are `ground`,
`pieces`, `place_labels` and `panel`. `drawing` has the shapes that only islands have.
"""

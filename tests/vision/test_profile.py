import pytest

from pi_board.errors import InvalidSettingsError
from pi_board.vision.profile import boards_folder, load_profile, profile_from_document, profile_names


def test_shipped_profiles_load_and_make_sense():
    names = profile_names()
    assert {"jumbo-travel", "classic-wood", "club-felt", "generic", "jumbo-solitaire"} <= set(names)
    for name in names:
        p = load_profile(name)
        assert p.name == name
        if p.kind == "backgammon":
            # Five checkers of both sides face each other on a column with room for the dice between.
            assert 10 * p.checker_diameter < p.field_height
            assert 0.8 < p.checker_diameter / p.point_width < 1.1


def test_scaled_keeps_proportions():
    p = load_profile("jumbo-travel")
    q = p.scaled(2 * p.field_width)
    assert q.point_width == pytest.approx(2 * p.point_width)
    assert q.checker_height / q.checker_diameter == pytest.approx(p.checker_height / p.checker_diameter)


def test_a_profile_of_ones_own_by_path(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text((boards_folder() / "generic.toml").read_text().replace("34.0", "35.0"))
    assert (load_profile(file).name, load_profile(str(file)).field_width) == ("mine", 35.0)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("field_width = 'wide'", "field_width: expected a number"),
        ("feild_width = 3", "did you mean field_width"),
        ("field_width = -1", "field_width: expected 0.1 to 200"),
        ("checker_diameter = 9", "checker_diameter: expected at most"),
        ("trays = 'top'", "expected one of none, left, right, both"),
        ("measured = 1", "expected true or false"),
        ("shaker = [1, 2]", "shaker: expected four numbers"),
        ("shaker = ['a']", "expected a list of numbers"),
        ("= 4", "not valid TOML"),
    ],
)
def test_mistakes_are_named_with_file_and_key(tmp_path, text, message):
    file = tmp_path / "mine.toml"
    file.write_text(text)
    with pytest.raises(InvalidSettingsError, match=message) as error:
        load_profile(file)
    assert str(file) in str(error.value)


def test_unknown_names_suggest(tmp_path):
    with pytest.raises(InvalidSettingsError, match="did you mean jumbo-travel"):
        load_profile("jumbo-travl")
    with pytest.raises(InvalidSettingsError, match=r"known: .*generic"):
        load_profile("xyzzy")
    with pytest.raises(InvalidSettingsError, match="no such board profile"):
        load_profile(tmp_path / "none.toml")
    with pytest.raises(InvalidSettingsError, match="cannot be read"):
        load_profile(f"{tmp_path}/")


def test_solitaire_needs_a_pitch():
    with pytest.raises(InvalidSettingsError, match="hole_pitch"):
        profile_from_document({"name": "x", "kind": "solitaire"})

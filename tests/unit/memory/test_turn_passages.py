"""What is embedded of a turn."""

from clew.memory.turn_passages import Said, in_context


def test_a_turn_stands_after_the_two_before_it_each_with_its_speaker() -> None:
    turns = [Said("Anna", "Hello."), Said("Boris", "Any pets?"), Said("Anna", "Not yet."), Said("Boris", "A beagle!")]
    assert in_context(turns, 3) == "Boris: Any pets?\nAnna: Not yet.\nBoris: A beagle!"
    assert in_context(turns, 0) == "Anna: Hello."


def test_what_was_said_in_another_sitting_does_not_stand_before_it() -> None:
    turns = [Said("Anna", "Good night.", 0), Said("Boris", "Morning!", 1), Said("Anna", "Slept well?", 1)]
    assert in_context(turns, 1) == "Boris: Morning!"
    assert in_context(turns, 2) == "Boris: Morning!\nAnna: Slept well?"

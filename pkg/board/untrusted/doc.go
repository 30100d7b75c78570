// Package untrusted shows text that strangers wrote: what files, nets, layers and parts
// are called, and what customers and suppliers write. It may hide, turn the direction of
// writing, run on for ever, or read like an instruction to a person or an agent.
//
// There is one rule of characters. Control and format characters (direction marks,
// zero-width ones, tags), those of private use and bytes that are no text never show, and
// every kind of line end is one. [Clean] and [CleanLine] hold what comes in to it, [Line],
// [Block] and [Strip] what goes out, cut to a length.
//
// There is one rule of names: what a file calls itself may not command whoever reads our
// sentence, and a sentence that is full of stand-ins says nothing.
//
//   - Usual ([IsUsual]): made of words of a closed list, such as GND and F_Cu.gbr. It stands
//     as it is.
//   - Short ([IsShort]): a word or two, in the characters of names, such as my-board.gbr, or
//     a part number. It stands in quotes. Its letters are Latin ones, also with marks, as in
//     kühler.gbr.
//   - All others go to a field of their own, and the sentence says [file 1].
//
// [Mention] says a name in a sentence, [Reply] holds the sentences of a JSON reply to the
// rule, [IsolateNames] and [IsolatePage] keep what is written from the right from moving
// our figures, and [Cell] keeps spreadsheets from computing it.
package untrusted

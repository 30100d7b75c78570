// Package pdf reads the words of PDF files: drawings and instructions for whoever makes the board.
// Text is read that is text; pictures of text, and letters drawn as lines, are not.
//
// Files are foreign: objects are found by looking for them, whatever the tables of the file say, and
// what is unpacked, nested and read is bounded.
package pdf

// Package gbrjob reads Gerber job files.
//
// Three dialects are met: the JSON of the Gerber job format (KiCad and others,
// GeneralSpecs), Autodesk's JSON (Overall), and the older one in Gerber syntax
// with TJ attributes that Eagle 9.0 writes under the same extension.
//
// KiCad's size is that of the drawn outline: one line width more than the
// board in each direction. The reader knows this; see [Job.SizeWithStroke].
package gbrjob

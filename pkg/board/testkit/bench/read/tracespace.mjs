// Reads Gerber and drill files and writes the finished sides: module, output
// folder, files.
import {writeFileSync} from 'node:fs'
import {pathToFileURL} from 'node:url'

const [module, out, ...files] = process.argv.slice(1)
const {read, plot, renderLayers, renderBoard, stringifySvg} = await import(pathToFileURL(module))
const board = renderBoard(renderLayers(plot(await read(files))))
for (const side of ['top', 'bottom']) writeFileSync(`${out}/tracespace-${side}.svg`, stringifySvg(board[side]))

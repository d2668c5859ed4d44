// What the engine exports: see `../engine.ts`.
export {
  begin,
  emptyRows,
  inputAt,
  keep,
  line,
  needsRoom,
  partlyEmptyRows,
  read,
  rowsAt,
  rowsContinued,
  rowsCount,
  rowsOrdered,
  scan,
  setUp,
  takenRows,
} from './rows';
export {
  addNode,
  count,
  encode,
  finish,
  indexAt,
  kindsAt,
  next,
  outputAt,
  setAddress,
  used,
  wordsAt,
} from './tree';
export { addRows, freshAt, freshCount, limitAt, positionAt, isDone, inputRowsAt, seenAt } from './ranges';

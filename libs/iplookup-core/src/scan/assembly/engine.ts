// What the engine exports: see `../engine.ts`.
export {
  begin,
  emptyRows,
  inputAt,
  keep,
  line,
  needsRoom,
  numberTexts,
  partlyEmptyRows,
  read,
  rowsAt,
  rowsContinued,
  rowsCount,
  rowsOrdered,
  scan,
  setUp,
  takenRows,
  textsAt,
  textsEnd,
} from './rows';
export {
  addNumbered,
  hasPayloads,
  learnTexts,
  numberedRowsAt,
  numberedTextsAt,
  payloadsAt,
  unread,
} from './numbered';
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
export {
  cellsAt,
  entryAt,
  entryCount,
  intern,
  kindsOfColumnsAt,
  placesAt,
  setReading,
  setUpValues,
} from './values';
export { addRows, freshAt, freshCount, limitAt, positionAt, isDone, inputRowsAt, seenAt } from './ranges';
export {
  encodeRecords,
  firstKeyAt,
  lastKeyAt,
  recordRowsAt,
  recordsAt,
  recordsEnd,
  setUpRecords,
} from './records';

export { protectCell } from './csv-cells.js';
export {
  type Conversion,
  type ConversionOptions,
  type ConvertedClient,
  convertClients,
  ExportFormatError,
} from './convert-clients.js';
export { type Product, PRODUCTS } from './products.js';
export { CsvFormatError, type CsvTable, parseCsv, parseCsvRows } from './parse-csv.js';
export { declarationsIn, guessFormat, type ImportFormat } from './guess-format.js';

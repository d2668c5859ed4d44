export {
  type Conversion,
  type ConversionOptions,
  type ConvertedClient,
  convertClients,
  ExportFormatError,
} from './convert-clients.js';
export { type Product, PRODUCTS } from './products.js';
export { CsvFormatError, parseCsvRows } from './parse-csv.js';

import { optionMessage } from '../messages/option-message.js';
import { columnType } from '../values/column-type.js';
import { geoip2Layout } from './geoip2-layout.js';
import { type LayoutOptions, type RecordLayout, RecordLayoutError } from './record-layout.js';

/**
 * Decides how the value columns are stored.
 *
 * @throws {RecordLayoutError} if a column has no place in the schema, or does not exist
 */
export function planLayout(
  columns: readonly string[],
  { schema, dropColumns, typed }: LayoutOptions,
): RecordLayout {
  const unknown = dropColumns.find((name) => !columns.includes(name));
  if (unknown !== undefined) {
    throw new RecordLayoutError(
      optionMessage`${{ option: 'dropColumns' }} names ${JSON.stringify(unknown)}, which is not a value column`,
    );
  }
  if (schema === 'geoip2') return geoip2Layout(columns, dropColumns);
  const types = columns.map((name) => (dropColumns.includes(name) ? undefined : columnType(name, typed)));
  return { types, languages: ['en'] };
}

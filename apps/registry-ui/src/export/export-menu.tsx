import { Button, Menu } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { sendRequest } from '../api/request.js';
import { showFailure } from '../elements/failure.js';
import { Icon } from '../elements/icon.js';
import { saveFile } from '../elements/save-file.js';
import { text } from '../texts/text.js';

/** The formats of an export, by what is asked for them. */
const FORMATS = { ndjson: 'application/x-ndjson', csv: 'text/csv' } as const;

type ExportFormat = keyof typeof FORMATS;

/** The first line of a CSV file: the names of its columns, none of which has a line break. */
const CSV_HEADER = /^[^\n]*\n/;

/**
 * Saves an export as a file. A link cannot do it: the token goes into a header.
 *
 * @param queries which Clients: queries of `GET /clients/export` with their question marks, one empty for all Clients;
 * the answers to several become one file
 * @throws {ApiError} when one of them fails; then nothing is saved
 */
async function downloadClients(queries: readonly string[], format: ExportFormat): Promise<void> {
  const parts: (Blob | string)[] = [];
  for (const query of queries) {
    const response = await sendRequest({
      path: `/clients/export${query}`,
      headers: { accept: FORMATS[format] },
    });
    const isFirst = parts.length === 0;
    parts.push(
      format === 'csv' && !isFirst ? (await response.text()).replace(CSV_HEADER, '') : await response.blob(),
    );
  }
  saveFile(new Blob(parts, { type: FORMATS[format] }), `clients.${format}`);
}

interface ExportMenuProps {
  /** Which Clients, as `GET /clients/export` is asked for them: the answers become one file. */
  readonly queries: readonly string[];
  readonly compact?: boolean;
}

/** Saves Clients as a file, for programs or for spreadsheets. */
export function ExportMenu({ queries, compact = false }: ExportMenuProps) {
  const download = useMutation({
    mutationFn: async (format: ExportFormat) => downloadClients(queries, format),
    onError: (error) => showFailure(error),
  });
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button
          size={compact ? 'xs' : 'sm'}
          variant="default"
          leftSection={<Icon name="download" size={compact ? 14 : 16} />}
          loading={download.isPending}
        >
          {text('export.do')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => download.mutate('csv')}>{text('export.csv')}</Menu.Item>
        <Menu.Item onClick={() => download.mutate('ndjson')}>{text('export.ndjson')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

import { Button, Menu } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { sendRequest } from '../api/request.js';
import { showFailure } from '../elements/failure.js';
import { Icon } from '../elements/icon.js';
import { saveFile } from '../elements/save-file.js';
import { text } from '../texts/text.js';

/** Export formats and their media types. */
const FORMATS = { ndjson: 'application/x-ndjson', csv: 'text/csv' } as const;

type ExportFormat = keyof typeof FORMATS;

/** A large file over a slow network. */
const DEADLINE_MS = 30 * 60_000;

/** The header line of a CSV file; column names contain no line breaks. */
const CSV_HEADER = /^[^\n]*\n/;

/**
 * Saves an export as a file. A link cannot do this, since the token goes into a header.
 *
 * @param queries query strings of `GET /clients/export`, an empty one for all clients; several responses become one
 * file
 * @throws {ApiError} if a request fails; then nothing is saved
 */
async function downloadClients(queries: readonly string[], format: ExportFormat): Promise<void> {
  const parts: (Blob | string)[] = [];
  for (const query of queries) {
    const response = await sendRequest({
      path: '/clients/export',
      query,
      headers: { accept: FORMATS[format] },
      deadlineMs: DEADLINE_MS,
    });
    const isFirst = parts.length === 0;
    parts.push(
      format === 'csv' && !isFirst ? (await response.text()).replace(CSV_HEADER, '') : await response.blob(),
    );
  }
  saveFile(new Blob(parts, { type: FORMATS[format] }), `clients.${format}`);
}

interface ExportMenuProps {
  /** Query strings of `GET /clients/export`; the responses become one file. */
  readonly queries: readonly string[];
  readonly compact?: boolean;
}

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

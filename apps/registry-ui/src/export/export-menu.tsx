import { Button, Menu } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Icon } from '../elements/icon.js';
import { showFailure } from '../elements/show-failure.js';
import { text } from '../texts/text.js';
import { downloadClients, type ExportFormat } from './download.js';

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

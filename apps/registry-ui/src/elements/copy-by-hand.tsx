import { Button, Group, Input, Stack, Text } from '@mantine/core';
import type { ClipboardEvent } from 'react';
import { text } from '../texts/text.js';
import { Dialog } from './dialog.js';
import { Icon } from './icon.js';
import { saveFile } from './save-file.js';

interface CopyByHandProps {
  readonly opened: boolean;
  readonly value: string;
  readonly what: string;
  /** Called once all of the value was copied with the keyboard or a menu, or saved as a file. */
  readonly onCopied: () => void;
  readonly onClose: () => void;
}

/** Most lines of the value in view; the others are selected all the same. */
const MOST_LINES = 8;

/** The browser refused its clipboard to the page: the value is selected, for the reader's own keys, or saved as a file. */
export function CopyByHand({ opened, value, what, onCopied, onClose }: CopyByHandProps) {
  const finish = () => {
    onCopied();
    onClose();
  };
  const takeCopied = ({
    currentTarget: { selectionStart, selectionEnd },
  }: ClipboardEvent<HTMLTextAreaElement>) => {
    // The browser copies after this event: the text must stay until then.
    if (selectionEnd - selectionStart === value.length) setTimeout(finish);
  };
  const save = () => {
    saveFile(new Blob([value], { type: 'text/plain' }), fileNameOf(what));
    finish();
  };
  return (
    <Dialog opened={opened} title={text('copy.byHand.title')} onClose={onClose}>
      <Stack gap="md">
        <Text>{text('copy.byHand')}</Text>
        <Input
          component="textarea"
          aria-label={what}
          value={value}
          readOnly
          multiline
          rows={Math.min(MOST_LINES, rowsOf(value))}
          spellCheck={false}
          className="mono-input"
          onFocus={(event) => event.currentTarget.select()}
          onCopy={takeCopied}
          data-autofocus
        />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            {text('action.close')}
          </Button>
          <Button variant="default" leftSection={<Icon name="download" />} onClick={save}>
            {text('copy.download')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

/** In a dialog of the usual width. */
const CHARACTERS_PER_ROW = 48;

function rowsOf(value: string): number {
  const rows = value.split('\n').map((line) => Math.max(1, Math.ceil(line.length / CHARACTERS_PER_ROW)));
  return rows.reduce((sum, count) => sum + count, 0);
}

/** Such as `client-secret.txt`. */
function fileNameOf(what: string): string {
  const name = what.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  return `${name.replaceAll(/^-|-$/g, '') || 'copy'}.txt`;
}

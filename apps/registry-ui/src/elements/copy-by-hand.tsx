import { Button, Group, Input, Stack, Text } from '@mantine/core';
import type { ClipboardEvent } from 'react';
import { text } from '../texts/text.js';
import { Dialog } from './dialog.js';
import { Icon } from './icon.js';
import { saveFile } from './save-file.js';

export interface CopyByHandProps {
  readonly opened: boolean;
  readonly value: string;
  readonly what: string;
  /** Called once the entire value was copied by keyboard or menu, or downloaded. */
  readonly onCopied: () => void;
  readonly onClose: () => void;
}

/** Visible lines of the value; the rest is selected too. */
const MAX_LINES = 8;

/** The fallback without clipboard access: the value is selected for the user to copy or download. */
export function CopyByHand({ opened, value, what, onCopied, onClose }: CopyByHandProps) {
  const finish = () => {
    onCopied();
    onClose();
  };
  const takeCopied = ({
    currentTarget: { selectionStart, selectionEnd },
  }: ClipboardEvent<HTMLTextAreaElement>) => {
    // The browser copies after this event, so the text must stay until then.
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
          rows={Math.min(MAX_LINES, rowsOf(value))}
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

/** In a dialog of default width. */
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

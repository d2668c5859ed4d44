import { ActionIcon, Button, Group, Input, Stack, Text, Tooltip } from '@mantine/core';
import { type ClipboardEvent, type MouseEvent, useState } from 'react';
import { text } from '../texts/text.js';
import classes from './copy-button.module.css';
import { Dialog } from './dialog.js';
import { Icon } from './icon.js';
import { saveFile } from './save-file.js';

interface CopyButtonProps {
  readonly value: string;
  /** What is copied, for the accessible name. */
  readonly what: string;
  /** The button's text; an icon by default. */
  readonly label?: string;
  /** Whether copying is the primary action of the screen. */
  readonly prominent?: boolean;
  /** Without a tooltip and a tab stop of its own, for cells of a long table. */
  readonly plain?: boolean;
  /** Called once the value has really been copied or downloaded. */
  readonly onCopied?: () => void;
}

/** How long the button confirms. */
const CONFIRMED_MS = 2_000;

/** Copies a value. If the browser refuses, the user can copy it by hand or download it. */
export function CopyButton({
  value,
  what,
  label,
  prominent = false,
  plain = false,
  onCopied,
}: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  // Rendered on demand: a list contains many of these buttons.
  const [byHand, setByHand] = useState<'asked' | 'closed'>();
  const succeed = () => {
    setCopied(true);
    setTimeout(() => setCopied(false), CONFIRMED_MS);
    onCopied?.();
  };
  const copy = (event: MouseEvent) => {
    event.stopPropagation();
    writeToClipboard(value).then(succeed, () => setByHand('asked'));
  };
  return (
    <>
      <Face what={what} label={label} prominent={prominent} plain={plain} copied={copied} onClick={copy} />
      {byHand !== undefined && (
        <CopyByHand
          opened={byHand === 'asked'}
          value={value}
          what={what}
          onCopied={succeed}
          onClose={() => setByHand('closed')}
        />
      )}
    </>
  );
}

interface FaceProps {
  readonly what: string;
  readonly label: string | undefined;
  readonly prominent: boolean;
  readonly plain: boolean;
  readonly copied: boolean;
  readonly onClick: (event: MouseEvent) => void;
}

function Face({ what, label, prominent, plain, copied, onClick }: FaceProps) {
  const name = text(copied ? 'copy.done' : 'copy.do', { what });
  const sign = <Icon name={copied ? 'check' : 'copy'} size={14} />;
  if (label !== undefined) {
    return (
      <Button variant={prominent ? 'filled' : 'default'} size="xs" leftSection={sign} onClick={onClick}>
        {copied ? text('copy.done') : label}
      </Button>
    );
  }
  if (plain) {
    return (
      <button
        type="button"
        className={classes.plain}
        tabIndex={-1}
        aria-label={name}
        data-tip={name}
        onClick={onClick}
      >
        {sign}
      </button>
    );
  }
  return (
    <Tooltip label={name}>
      <ActionIcon
        variant="subtle"
        color={copied ? 'green' : 'gray'}
        size={24}
        aria-label={name}
        onClick={onClick}
      >
        {sign}
      </ActionIcon>
    </Tooltip>
  );
}

/** @throws {Error} if the browser refuses; pages served over plain http have no clipboard at all */
async function writeToClipboard(value: string): Promise<void> {
  await navigator.clipboard.writeText(value);
}

interface CopyByHandProps {
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
function CopyByHand({ opened, value, what, onCopied, onClose }: CopyByHandProps) {
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

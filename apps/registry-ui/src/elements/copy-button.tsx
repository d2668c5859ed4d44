import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { type MouseEvent, useState } from 'react';
import { text } from '../texts/text.js';
import { CopyByHand } from './copy-by-hand.js';
import { Icon } from './icon.js';

interface CopyButtonProps {
  readonly value: string;
  /** What is copied, for the button's name. */
  readonly what: string;
  /** What the button says; without it, a sign stands for it. */
  readonly label?: string;
  /** It is what to do next on the screen. */
  readonly prominent?: boolean;
  /** Called once the value has really been copied, or saved as a file. */
  readonly onCopied?: () => void;
}

/** How long the button says that it has copied. */
const SAID_MS = 2_000;

/** Copies a value. Where the browser refuses, the value is offered to be copied by hand or saved. */
export function CopyButton({ value, what, label, prominent = false, onCopied }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  // Not drawn before it is needed: a list has many of these buttons.
  const [byHand, setByHand] = useState<'asked' | 'closed'>();
  const succeed = () => {
    setCopied(true);
    setTimeout(() => setCopied(false), SAID_MS);
    onCopied?.();
  };
  const copy = (event: MouseEvent) => {
    event.stopPropagation();
    writeToClipboard(value).then(succeed, () => setByHand('asked'));
  };
  const name = text(copied ? 'copy.done' : 'copy.do', { what });
  const sign = <Icon name={copied ? 'check' : 'copy'} size={14} />;
  return (
    <>
      {label === undefined ? (
        <Tooltip label={name}>
          <ActionIcon
            variant="subtle"
            color={copied ? 'green' : 'gray'}
            size={24}
            aria-label={name}
            onClick={copy}
          >
            {sign}
          </ActionIcon>
        </Tooltip>
      ) : (
        <Button variant={prominent ? 'filled' : 'default'} size="xs" leftSection={sign} onClick={copy}>
          {copied ? text('copy.done') : label}
        </Button>
      )}
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

/** @throws {Error} when the browser does not allow it; pages over plain http have no clipboard at all */
async function writeToClipboard(value: string): Promise<void> {
  await navigator.clipboard.writeText(value);
}

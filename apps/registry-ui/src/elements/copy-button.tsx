import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { type ComponentType, lazy, type MouseEvent, Suspense, useState } from 'react';
import { text } from '../texts/text.js';
import classes from './copy-button.module.css';
import type { CopyByHandProps } from './copy-by-hand.js';
import { Icon } from './icon.js';
import { loadCode } from './load-code.js';

const LazyCopyByHand = lazy(async () =>
  loadCode(async () => ({ default: (await import('./copy-by-hand.js')).CopyByHand })),
);

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
  /** Shown if the browser refuses; loaded only then, unless it is given. */
  readonly byHand?: ComponentType<CopyByHandProps>;
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
  byHand: CopyByHand = LazyCopyByHand,
  onCopied,
}: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  // Rendered on demand: a list contains many of these buttons.
  const [asking, setAsking] = useState<'asked' | 'closed'>();
  const succeed = () => {
    setCopied(true);
    setTimeout(() => setCopied(false), CONFIRMED_MS);
    onCopied?.();
  };
  const copy = (event: MouseEvent) => {
    event.stopPropagation();
    writeToClipboard(value).then(succeed, () => setAsking('asked'));
  };
  return (
    <>
      <Face what={what} label={label} prominent={prominent} plain={plain} copied={copied} onClick={copy} />
      {asking !== undefined && (
        <Suspense>
          <CopyByHand
            opened={asking === 'asked'}
            value={value}
            what={what}
            onCopied={succeed}
            onClose={() => setAsking('closed')}
          />
        </Suspense>
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

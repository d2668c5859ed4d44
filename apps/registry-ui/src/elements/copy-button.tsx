import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { type ComponentType, lazy, type MouseEvent, useState } from 'react';
import { text } from '../texts/text.js';
import type { CopyByHandProps } from './copy-by-hand.js';
import { Icon } from './icon.js';
import { loadCode } from './load-code.js';
import { OnDemand } from './on-demand.js';

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
  /** Shown if the browser refuses; loaded only then, unless it is given. */
  readonly byHand?: ComponentType<CopyByHandProps>;
  /** Called once the value has really been copied or downloaded. */
  readonly onCopied?: () => void;
}

/** How long the button confirms. */
export const CONFIRMED_MS = 2_000;

/** Copies a value. If the browser refuses, the user can copy it by hand or download it. */
export function CopyButton({ value, what, label, prominent = false, byHand, onCopied }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  const { copy, dialog } = useCopying(what, byHand);
  const succeed = () => {
    setCopied(true);
    setTimeout(() => setCopied(false), CONFIRMED_MS);
    onCopied?.();
  };
  const click = (event: MouseEvent) => {
    event.stopPropagation();
    copy(value, succeed);
  };
  return (
    <>
      <Face what={what} label={label} prominent={prominent} copied={copied} onClick={click} />
      {dialog}
    </>
  );
}

interface Asked {
  readonly value: string;
  readonly onCopied: () => void;
  readonly opened: boolean;
}

/** @returns a function that copies a value, and the dialog if the browser refused to, to be rendered */
export function useCopying(what: string, CopyByHand: ComponentType<CopyByHandProps> = LazyCopyByHand) {
  const [asked, setAsked] = useState<Asked>();
  const copy = (value: string, onCopied: () => void) => {
    writeToClipboard(value).then(onCopied, () => setAsked({ value, onCopied, opened: true }));
  };
  const dialog = asked && (
    <OnDemand onFail={() => setAsked(undefined)}>
      <CopyByHand {...asked} what={what} onClose={() => setAsked({ ...asked, opened: false })} />
    </OnDemand>
  );
  return { copy, dialog };
}

interface FaceProps {
  readonly what: string;
  readonly label: string | undefined;
  readonly prominent: boolean;
  readonly copied: boolean;
  readonly onClick: (event: MouseEvent) => void;
}

function Face({ what, label, prominent, copied, onClick }: FaceProps) {
  const name = text(copied ? 'copy.done' : 'copy.do', { what });
  const sign = <Icon name={copied ? 'check' : 'copy'} size={14} />;
  if (label !== undefined) {
    return (
      <Button variant={prominent ? 'filled' : 'default'} size="xs" leftSection={sign} onClick={onClick}>
        {copied ? text('copy.done') : label}
      </Button>
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

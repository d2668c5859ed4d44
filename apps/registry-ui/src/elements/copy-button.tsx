import { ActionIcon, CopyButton as Copying, Tooltip } from '@mantine/core';
import { text } from '../texts/text.js';
import { Icon } from './icon.js';

interface CopyButtonProps {
  readonly value: string;
  /** What is copied, for the button's name. */
  readonly what: string;
  readonly tabIndex?: number;
}

/** Copies a value and says so. */
export function CopyButton({ value, what, tabIndex }: CopyButtonProps) {
  return (
    <Copying value={value} timeout={1500}>
      {({ copied, copy }) => {
        const label = text(copied ? 'copy.done' : 'copy.do', { what });
        return (
          <Tooltip label={label}>
            <ActionIcon
              variant="subtle"
              color={copied ? 'green' : 'gray'}
              size={24}
              aria-label={label}
              tabIndex={tabIndex}
              onClick={(event) => {
                event.stopPropagation();
                copy();
              }}
            >
              <Icon name={copied ? 'check' : 'copy'} size={14} />
            </ActionIcon>
          </Tooltip>
        );
      }}
    </Copying>
  );
}

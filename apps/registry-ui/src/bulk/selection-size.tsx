import { ActionIcon } from '@mantine/core';
import { Icon } from '../elements/icon.js';
import { text } from '../texts/bulk.js';

interface SelectionSizeProps {
  readonly children: string;
  readonly onClear: () => void;
}

/** How many clients are selected, and a button that clears the selection. */
export function SelectionSize({ children, onClear }: SelectionSizeProps) {
  return (
    <>
      <strong className="numeric" role="status">
        {children}
      </strong>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={24}
        aria-label={text('bulk.clear')}
        title={text('bulk.clear')}
        onClick={onClear}
      >
        <Icon name="cross" size={14} />
      </ActionIcon>
    </>
  );
}

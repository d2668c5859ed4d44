import { Popover, type PopoverProps } from '@mantine/core';
import { type ReactNode, type Ref, useDeferredValue, useImperativeHandle } from 'react';

export interface AnchoredPopoverProps extends Pick<PopoverProps, 'position' | 'width' | 'withinPortal'> {
  readonly opened: boolean;
  readonly onChange: (opened: boolean) => void;
  /** Names the dropdown. */
  readonly label: string;
  readonly className?: string | undefined;
  readonly children: ReactNode;
  readonly id: string;
  /** The button. */
  readonly anchor: HTMLElement;
}

/** A popover beside an element that is rendered elsewhere. */
export function AnchoredPopover({
  anchor,
  opened,
  label,
  className,
  children,
  ...props
}: AnchoredPopoverProps) {
  // Closed at first: it notes where the focus is when it opens, not when it is mounted open.
  const shown = useDeferredValue(opened, false);
  return (
    <Popover {...props} opened={shown} trapFocus returnFocus>
      <Popover.Target>
        <Anchor element={anchor} />
      </Popover.Target>
      <Popover.Dropdown aria-label={label} className={className}>
        {children}
      </Popover.Dropdown>
    </Popover>
  );
}

interface AnchorProps {
  readonly ref?: Ref<HTMLElement>;
  readonly element: HTMLElement;
}

/** Stands for the element where the popover expects its target. */
function Anchor({ ref, element }: AnchorProps) {
  useImperativeHandle(ref, () => element, [element]);
  return null;
}

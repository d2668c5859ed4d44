import { lazy, type ReactElement, type Ref, useId, useState } from 'react';
import type { AnchoredPopoverProps } from './anchored-popover.js';
import { loadCode } from './load-code.js';
import { OnDemand } from './on-demand.js';

const loadPopover = async () => loadCode(async () => import('./anchored-popover.js'));

const AnchoredPopover = lazy(async () => ({ default: (await loadPopover()).AnchoredPopover }));

const preloadPopover = () => void loadPopover().catch(() => undefined);

/** Properties of a button that opens a popover. */
export interface PopoverButtonProps {
  readonly ref: Ref<HTMLButtonElement>;
  readonly id: string;
  readonly 'aria-haspopup': 'dialog';
  readonly 'aria-expanded': boolean;
  readonly 'aria-controls': string | undefined;
  readonly onClick: () => void;
  /** The pointer or the focus arrives: a click may follow. */
  readonly onPointerEnter: () => void;
  readonly onFocus: () => void;
}

interface LazyPopoverProps extends Omit<AnchoredPopoverProps, 'id' | 'anchor'> {
  /** Loads the content as well. */
  readonly preload?: () => void;
  readonly button: (props: PopoverButtonProps) => ReactElement;
}

/** A popover that loads when its button is about to be used; no screen needs one to begin with. */
export function LazyPopover({ button, preload, ...popover }: LazyPopoverProps) {
  const { opened, onChange } = popover;
  const id = useId();
  const [anchor, setAnchor] = useState<HTMLButtonElement | null>(null);
  const [openings, setOpenings] = useState(0);
  const preloadAll = () => {
    preloadPopover();
    preload?.();
  };
  const toggle = () => {
    if (!opened) setOpenings(openings + 1);
    onChange(!opened);
  };
  return (
    <>
      {button({
        ref: setAnchor,
        id,
        'aria-haspopup': 'dialog',
        'aria-expanded': opened,
        'aria-controls': opened ? `${id}-dropdown` : undefined,
        onClick: toggle,
        onPointerEnter: preloadAll,
        onFocus: preloadAll,
      })}
      {/* Stays mounted when it closes, to return the focus. */}
      {openings > 0 && anchor && (
        <OnDemand openings={openings} onFail={() => onChange(false)}>
          <AnchoredPopover {...popover} id={id} anchor={anchor} />
        </OnDemand>
      )}
    </>
  );
}

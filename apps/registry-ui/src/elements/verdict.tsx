import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.js';
import classes from './verdict.module.css';

export type VerdictKind = 'good' | 'warn' | 'bad' | 'calm';

const ICONS: Readonly<Record<VerdictKind, IconName>> = {
  good: 'check',
  warn: 'warning',
  bad: 'refused',
  calm: 'info',
};

interface VerdictProps {
  readonly kind: VerdictKind;
  readonly icon?: IconName;
  readonly children: ReactNode;
}

/** A state in a word or two: told by a sign and a word as well as by a colour. */
export function Verdict({ kind, icon = ICONS[kind], children }: VerdictProps) {
  return (
    <span className={classes.verdict} data-kind={kind}>
      <Icon name={icon} size={14} />
      {children}
    </span>
  );
}

import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.js';
import classes from './status-badge.module.css';

export type StatusKind = 'good' | 'warn' | 'bad' | 'calm';

const ICONS: Readonly<Record<StatusKind, IconName>> = {
  good: 'check',
  warn: 'warning',
  bad: 'refused',
  calm: 'info',
};

interface StatusBadgeProps {
  readonly kind: StatusKind;
  readonly icon?: IconName;
  readonly children: ReactNode;
}

/** A state in a word or two, with an icon as well as a colour. */
export function StatusBadge({ kind, icon = ICONS[kind], children }: StatusBadgeProps) {
  return (
    <span className={classes.verdict} data-kind={kind}>
      <Icon name={icon} size={14} />
      {children}
    </span>
  );
}

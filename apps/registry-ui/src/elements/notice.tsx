import type { ReactNode, Ref } from 'react';
import { Icon, type IconName } from './icon.js';
import classes from './notice.module.css';

type Kind = 'bad' | 'warn' | 'good' | 'info';

const ICONS: Readonly<Record<Kind, IconName>> = {
  bad: 'refused',
  warn: 'warning',
  good: 'check',
  info: 'info',
};

interface NoticeProps {
  readonly kind: Kind;
  readonly title?: string;
  readonly children?: ReactNode;
  /** `alert` is read out at once, `status` when there is a pause, `note` when it is come to. */
  readonly role?: 'alert' | 'status' | 'note';
  /** For a notice that takes the focus. */
  readonly ref?: Ref<HTMLDivElement> | undefined;
}

/** Something to know before going on: its kind is told by a sign as well as by a colour. */
export function Notice({ kind, title, children, role = 'note', ref }: NoticeProps) {
  return (
    <div
      ref={ref}
      tabIndex={ref ? -1 : undefined}
      className={`foreign ${classes.notice}`}
      data-kind={kind}
      role={role}
    >
      <span className={classes.sign}>
        <Icon name={ICONS[kind]} />
      </span>
      <div className={classes.content}>
        {title !== undefined && <p className={classes.title}>{title}</p>}
        {children}
      </div>
    </div>
  );
}

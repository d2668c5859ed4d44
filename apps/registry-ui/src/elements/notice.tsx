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
  /** `alert` is announced immediately, `status` at the next pause, `note` not at all. */
  readonly role?: 'alert' | 'status' | 'note';
  /** The same for the title alone, of a notice whose content changes with time. */
  readonly titleRole?: 'status' | undefined;
  /** For a notice that takes the focus. */
  readonly ref?: Ref<HTMLDivElement> | undefined;
}

/** Something to know before continuing; an icon conveys the kind as well as the colour. */
export function Notice({ kind, title, children, role = 'note', titleRole, ref }: NoticeProps) {
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
        {title !== undefined && (
          <p className={classes.title} role={titleRole}>
            {title}
          </p>
        )}
        {children}
      </div>
    </div>
  );
}

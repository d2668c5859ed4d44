import { useEffect, useRef } from 'react';
import { Notice } from './notice.js';

interface MissedNoticeProps {
  readonly title: string;
  readonly how: string;
}

/**
 * An attempt had another outcome than a new secret, such as one whose response was lost. Takes the focus, which the button
 * loses while it is disabled.
 */
export function MissedNotice({ title, how }: MissedNoticeProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.focus(), []);
  return (
    <Notice kind="warn" role="alert" title={title} ref={place}>
      <p>{how}</p>
    </Notice>
  );
}

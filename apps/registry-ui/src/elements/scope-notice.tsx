import { useLacks } from '../api/own-token.js';
import { text } from '../texts/text.js';
import { Notice } from './notice.js';

interface ScopeNoticeProps {
  readonly scope: string;
  /** What that means on this screen. */
  readonly how?: string;
}

/** Says, before anything is filled in, that the token may not do what the screen is for; nothing where it may. */
export function ScopeNotice({ scope, how = text('scope.lacking.how') }: ScopeNoticeProps) {
  if (!useLacks(scope)) return null;
  return (
    <Notice kind="warn" role="status" title={text('scope.lacking', { scope })}>
      <p>{how}</p>
    </Notice>
  );
}

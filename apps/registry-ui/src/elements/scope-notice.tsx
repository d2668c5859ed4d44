import { useLacks } from '../api/own-token.js';
import { text } from '../texts/text.js';
import { Notice } from './notice.js';

/** Says, before anything is filled in, that the token may not do what the screen is for; nothing where it may. */
export function ScopeNotice({ scope }: { readonly scope: string }) {
  if (!useLacks(scope)) return null;
  return (
    <Notice kind="warn" role="status" title={text('scope.lacking', { scope })}>
      <p>{text('scope.lacking.how')}</p>
    </Notice>
  );
}

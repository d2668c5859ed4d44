import { Button, type ButtonProps, Tooltip } from '@mantine/core';
import type { ReactElement, Ref } from 'react';
import { useLacksScope } from '../api/own-token.js';
import { text } from '../texts/text.js';
import { Notice } from './notice.js';

interface ScopedButtonProps extends ButtonProps {
  readonly 'aria-label'?: string;
  readonly ref?: Ref<HTMLButtonElement>;
  /** The scope that the action requires. */
  readonly scope: string;
  readonly onClick?: () => void;
  /** Renders it as a link. */
  readonly renderRoot?: (props: Record<string, unknown>) => ReactElement;
}

/** A button that is disabled, with the reason, if the token lacks the scope. */
export function ScopedButton({ scope, onClick, renderRoot, ...props }: ScopedButtonProps) {
  const lacks = useLacksScope(scope);
  const doing = { ...(onClick && { onClick }), ...(renderRoot && { renderRoot }) };
  if (!lacks) return <Button {...props} {...doing} />;
  return (
    <Tooltip label={text('scope.lacking', { scope })}>
      <Button {...props} data-disabled aria-disabled />
    </Tooltip>
  );
}

interface ScopeNoticeProps {
  readonly scope: string;
  /** What that means on this screen. */
  readonly how?: string;
}

/** Explains, before any form is filled in, that the token lacks the scope that the screen requires. */
export function ScopeNotice({ scope, how = text('scope.lacking.how') }: ScopeNoticeProps) {
  if (!useLacksScope(scope)) return null;
  return (
    <Notice kind="warn" role="status" title={text('scope.lacking', { scope })}>
      <p>{how}</p>
    </Notice>
  );
}

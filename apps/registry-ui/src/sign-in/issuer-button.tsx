import { Button, Divider, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type IssuerSignIn, settings } from '../api/settings.js';
import { Notice } from '../elements/notice.js';
import { text } from '../texts/text.js';

interface IssuerButtonProps {
  /** Takes people to the issuer. */
  readonly onChoose: (oidc: IssuerSignIn) => Promise<void>;
}

/** The other way in, above the token's; nothing where no issuer is configured. */
export function IssuerButton({ onChoose }: IssuerButtonProps) {
  const attempt = useMutation({ mutationFn: onChoose });
  const { oidc } = settings;
  if (!oidc) return null;
  return (
    <Stack gap="md">
      <Button fullWidth loading={attempt.isPending} onClick={() => attempt.mutate(oidc)}>
        {text('issuer.do', { host: new URL(oidc.issuer).host })}
      </Button>
      {attempt.error && (
        <Notice kind="bad" role="alert" title={text('issuer.failed')}>
          <p>{attempt.error.message}</p>
        </Notice>
      )}
      <Divider label={text('issuer.or')} />
    </Stack>
  );
}

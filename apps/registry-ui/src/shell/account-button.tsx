import { UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ownTokenQuery } from '../api/own-token.js';
import { Icon } from '../elements/icon.js';
import type { PopoverButtonProps } from '../elements/lazy-popover.js';
import { text } from '../texts/text.js';
import classes from './sidebar.module.css';

/** Opens the account menu; named after the token. */
export function AccountButton(props: PopoverButtonProps) {
  const { data: own } = useQuery(ownTokenQuery);
  const name = own?.name ?? text('identity.loading');
  return (
    <UnstyledButton
      {...props}
      className={classes.place}
      aria-label={text('identity.named', { name })}
      title={name}
    >
      <Icon name="key" />
      <bdi className={`foreign one-line ${classes.grows}`}>{name}</bdi>
      <Icon name="up" />
    </UnstyledButton>
  );
}

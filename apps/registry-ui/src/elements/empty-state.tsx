import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './empty-state.module.css';
import { Icon, type IconName } from './icon.js';

interface EmptyStateProps {
  readonly icon: IconName;
  readonly title: string;
  /** What would stand here, and how it comes about. */
  readonly children: ReactNode;
  /** The next step. */
  readonly action?: ReactNode;
}

/** Stands where there is nothing yet, and says what to do about it. */
export function EmptyState({ icon, title, children, action }: EmptyStateProps) {
  return (
    <Stack gap="sm" align="center" className={classes.empty}>
      <span className={classes.sign}>
        <Icon name={icon} size={24} />
      </span>
      <Title order={2}>{title}</Title>
      <Text c="dimmed" ta="center" maw="52ch" component="div">
        {children}
      </Text>
      {action}
    </Stack>
  );
}

import { useMutation, type UseMutationOptions } from '@tanstack/react-query';
import { useRef } from 'react';

/** A mutation that ignores calls while it runs: a second click may come before the button is drawn as disabled. */
export function useSingleMutation<Result, Variables>(options: UseMutationOptions<Result, Error, Variables>) {
  const running = useRef(false);
  const mutation = useMutation({
    ...options,
    onSettled: async (...settled) => {
      running.current = false;
      await options.onSettled?.(...settled);
    },
  });
  const mutate: typeof mutation.mutate = (...given) => {
    if (running.current) return;
    running.current = true;
    mutation.mutate(...given);
  };
  return { ...mutation, mutate };
}

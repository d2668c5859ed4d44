/** A task that is asked for again and again: it runs once at a time, and says once when it begins to fail. */
export function singleRun(
  task: () => Promise<void>,
  onFailure: (error: unknown) => void,
): () => Promise<void> {
  let isRunning = false;
  let hasFailed = false;
  return async () => {
    if (isRunning) return;
    isRunning = true;
    try {
      await task();
      hasFailed = false;
    } catch (error) {
      if (!hasFailed) onFailure(error);
      hasFailed = true;
    } finally {
      isRunning = false;
    }
  };
}

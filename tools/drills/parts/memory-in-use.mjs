// Preloaded into a service under test (`node --expose-gc --import …`): answers each message with the memory that is in
// use after a full garbage collection. Without one, the figures say more about the collector's schedule than about leaks.
process.on('message', () => {
  globalThis.gc?.();
  // Another thread frees the content of buffers; the second run waits for it.
  globalThis.gc?.();
  process.send?.(process.memoryUsage());
});
// Only the service itself keeps the process alive.
process.channel?.unref();

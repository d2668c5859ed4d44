// Loaded before each test file in mutation testing, where tests run thousands of times: properties use fixed seeds, so
// that results are reproducible, have a time limit, and do not shrink failing cases.
import fc from 'fast-check';

fc.configureGlobal({
  seed: 1,
  endOnFailure: true,
  interruptAfterTimeLimit: 250,
  markInterruptAsFailure: false,
});

// Loaded before each test file in mutation testing, where the tests run thousands of times: properties try the same
// cases each time, so that a mutant meets the same fate, stop trying after a while, and look for no simpler case once one
// has failed.
import fc from 'fast-check';

fc.configureGlobal({
  seed: 1,
  endOnFailure: true,
  interruptAfterTimeLimit: 250,
  markInterruptAsFailure: false,
});

import { build } from '../../test/build-in-memory.js';
import { drawInspection } from './draw-inspection.js';
import { inspectLookup } from './inspect-lookup.js';

const draw = (csv: string, options = {}) =>
  drawInspection(inspectLookup(build(csv, { inputFormat: 'cidr', lookupName: 'places', ...options }).bytes));

/** Each group in its own /8, larger ones first; the last ones cover little of their cells. */
const groups = Array.from({ length: 14 }, (_, i) => `${20 + i}.0.0.0/${8 + (i % 8)},v${i}`);

// The pictures were looked at. When one changes, look at it in a browser before it is accepted.
test.each([
  [
    'both families, more values than colours',
    [
      'network,country',
      ...groups,
      '60.0.0.0/17,half',
      '60.1.0.0/20,bit',
      '61.0.0.0/16,',
      '2001:db8::/32,six',
      '2c00::/6,v0',
      '',
    ].join('\n'),
    {},
  ],
  ['IPv6 alone', 'network,country\n2001:db8::/32,six\n2400::/6,v0\nfc00::/7,own\n', {}],
  ['IPv4 alone', 'network,country\n1.2.3.4/32,a label that is too long: <&>\n', { forceIpv4: true }],
])('the picture of %s', (_what, csv, options) => {
  expect(draw(csv, options)).toMatchSnapshot();
});

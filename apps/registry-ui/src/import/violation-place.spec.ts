import { placeOf } from './violation-place.js';

test.each([
  ['/lines/3/redirect_uris/0', { line: '3', field: 'redirect_uris/0' }],
  ['/lines/12', { line: '12', field: '' }],
  ['/lines', { line: '', field: '' }],
])('%s is read as a line and a field', (pointer, place) => {
  expect(placeOf(pointer)).toEqual(place);
});

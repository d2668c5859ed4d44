import { responseParametersIn } from './response-parameters.js';

test.each([
  ['code=abc', ['code']],
  ['code[0]=abc&code[]=x', ['code', 'code']],
  ['+code=1&state+=2', ['code', 'state']],
  ['co%64e=1;is%2573=2', ['code', 'iss']],
  ['id_token=a=b\n=c', ['id_token']],
  ['error+uri=x&xcode=1&codes=1&Code=1', []],
  ['', []],
  [undefined, []],
])('the query %j holds %j', (query, names) => {
  expect(responseParametersIn(query)).toEqual(names);
});

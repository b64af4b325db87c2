import { databasesHere } from '../../../support/databases.ts';
import { testRaces } from './races.ts';

testRaces(databasesHere(), 5_000);

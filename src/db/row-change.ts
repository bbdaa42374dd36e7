/** A change of one row: the columns that changed, by their names in the database, as they were and as they are. */
export type RowChange = {
  table: string;
  id: string;
  before: Record<string, unknown>;
  after: Record<string, unknown>;
};

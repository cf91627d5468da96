-- What a key (1), a project (2) or an account (3) spent before a day, ever: a sum of `spending_days`, so that a budget without a window
-- reads the days since then only. A row is made, and goes on, when the budget is lent.
CREATE TABLE spending_before (
  kind smallint NOT NULL CHECK (kind IN (1, 2, 3)),
  id integer NOT NULL,
  day integer NOT NULL,
  charge_nano bigint NOT NULL,
  PRIMARY KEY (kind, id)
) WITH (fillfactor = 70);

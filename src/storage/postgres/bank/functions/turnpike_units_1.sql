-- The columns of settlements that migration `0036_units` adds, in the form of `turnpike_calls_1`: a batch has them after its own.
CREATE TYPE turnpike_units_1 AS (
  units bigint[],
  unit_line bigint[]
);

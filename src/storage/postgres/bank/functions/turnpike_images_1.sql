-- The column of settlements that migration `0040_input_images` adds, in the form of `turnpike_units_1`: a batch has it after those.
CREATE TYPE turnpike_images_1 AS (
  input_image_tokens bigint[]
);

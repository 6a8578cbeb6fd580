drop table day_bounds;

-- Patients by their date of birth: the birthdays of some days are one range of this index for each year.
create index patient_birth_date on patient (clinic_id, birth_date, id);
